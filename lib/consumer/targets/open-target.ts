import { openMdm } from '../../mdm/client/client.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import type { ResolvedParameters } from '../settings.ts';
import type { Target } from './target.ts';
import { lambdaTarget } from './lambda.ts';
import { sourceSubmitTarget } from './source-submit.ts';

/** Opens the target of a run's settings: the MDM or a Lambda. */
export async function openTarget(
  settings: Omit<ResolvedParameters, 'streams'>,
  invocation: Invocation,
): Promise<Target> {
  const { target: name, group, keyField, targetBatchSize: batchSize } = settings;
  if (name !== 'source-submit') return lambdaTarget({ name, group, keyField, batchSize });
  return sourceSubmitTarget(await openMdm(invocation, { attempts: 1 })); // the run retries itself, in order
}
