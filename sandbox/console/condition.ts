import type { SandboxMdm } from '../mdm/index.ts';
import type { Condition } from './messages.ts';

const SLOW_MS = 3000;

/** Breaks the sandbox MDM in one way, or repairs it. */
export function setCondition(mdm: SandboxMdm, condition: Condition): void {
  mdm.behave();
  switch (condition) {
    case 'healthy':
      break;
    case 'unavailable':
      mdm.misbehave({ path: '/business-entity', status: 503, times: null });
      break;
    case 'slow':
      mdm.misbehave({ path: '/business-entity', delayMs: SLOW_MS, times: null });
      break;
    case 'refuses-logins':
      mdm.sessions.expireAll();
      mdm.misbehave({
        path: '/saas',
        status: 401,
        body: { error: { code: 'IDS_085', message: 'Invalid credentials' } },
        times: null,
      });
  }
}
