import { ok, refusal, type SandboxResponse } from './records/responses.ts';
import { ENTITIES } from './records/data-model.ts';
import type { Misbehaviour, Misbehaviours } from './misbehaviour.ts';
import type { Records } from './records/records.ts';
import type { Sessions } from './tenant/sessions.ts';

/** The parts that the control routes use. */
export interface Controlled {
  readonly records: Records;
  readonly sessions: Sessions;
  readonly misbehaviours: Misbehaviours;
  readonly requestCount: () => number;
}

/**
 * Routes that control the sandbox, without a session:
 * `GET /sandbox` (what it holds), `POST /sandbox/misbehave` (one {@link Misbehaviour}), `DELETE /sandbox/misbehave`,
 * `POST /sandbox/expire-sessions`.
 */
export function answerControl(sandbox: Controlled, method: string, path: string, body: string): SandboxResponse {
  switch (`${method} ${path}`) {
    case 'GET /sandbox':
      return ok(describe(sandbox));
    case 'POST /sandbox/misbehave':
      sandbox.misbehaviours.add(JSON.parse(body) as Misbehaviour);
      return { status: 204 };
    case 'DELETE /sandbox/misbehave':
      sandbox.misbehaviours.clear();
      return { status: 204 };
    case 'POST /sandbox/expire-sessions':
      sandbox.sessions.expireAll();
      return { status: 204 };
    default:
      throw refusal(404, 'SANDBOX', 'No such control');
  }
}

function describe({ records, sessions, requestCount }: Controlled) {
  const { logins, refusedLogins } = sessions;
  const entities = ENTITIES.map(({ guid }) => ({
    id: guid,
    golden: records.allGolden(guid).length,
    sources: records.allSources(guid).length,
  }));
  return { requests: requestCount(), logins, refusedLogins, entities };
}
