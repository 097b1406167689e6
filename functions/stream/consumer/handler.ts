import { mdmClient } from '../../../lib/mdm/client.ts';
import { endpoint, type Run } from '../../../lib/endpoint/endpoint.ts';
import type { Invocation } from '../../../lib/runtime/invocation.ts';
import { commandClient } from '../../../lib/redis/connections.ts';
import type { Redis } from '../../../lib/redis/redis.ts';
import { consume } from '../../../lib/consumer/consumer.ts';
import { chooseDeadLetterStream } from '../../../lib/consumer/dead-letter-stream.ts';
import { logRun } from '../../../lib/consumer/metrics.ts';
import { RedisGroup } from '../../../lib/consumer/redis-group.ts';
import { readHealth } from '../../../lib/consumer/status.ts';
import type { Target } from '../../../lib/consumer/target.ts';
import { lambdaTarget } from '../../../lib/consumer/targets/lambda.ts';
import { sourceSubmitTarget } from '../../../lib/consumer/targets/source-submit.ts';
import { consumer } from './contract.ts';

export const run: Run<typeof consumer, Redis> = async (parameters, redis, invocation) => {
  const { stream, group } = parameters;
  const startedAt = performance.now();
  const report = await consume({
    group: new RedisGroup(redis, { ...parameters, deadLetterStream: chooseDeadLetterStream(redis, parameters) }),
    target: await openTarget(parameters, invocation),
    settings: { ...parameters, budgetMs: invocation.deadline.remainingMs() },
    log: invocation.log.with({ stream, group }),
  });
  const health = await readHealth(redis, [stream], group).catch(() => ({})); // the run itself did not fail
  const shardsServed = report.stoppedBecause === 'lease-held' ? 0 : 1;
  logRun(invocation.log, { stream, group }, report, { runMs: performance.now() - startedAt, shardsServed, ...health });
  return report;
};

async function openTarget({ target, stream }: { target: string; stream: string }, call: Invocation): Promise<Target> {
  if (target !== 'source-submit') return lambdaTarget(target, stream);
  return sourceSubmitTarget(await mdmClient(call, { attempts: 1 }));
}

export const handler = endpoint(consumer, commandClient, run);
