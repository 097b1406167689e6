import { rootLog } from '../../config/config.ts';
import type { MdmConfig } from '../../config/config.schema.ts';

/**
 * The store of shared sessions, imported on demand because it contains a Redis client. Undefined if each container logs
 * in for itself: the configuration shares no session, or the deployment omits the store (`sharedSession` is off).
 */
export async function sharedStore({ sessionStore, auth }: MdmConfig) {
  if (sessionStore !== 'redis' || auth.type === 'session') return undefined;
  try {
    return await import('./redis-session-store.ts');
  } catch (error) {
    if ((error as { code?: string }).code !== 'MODULE_NOT_FOUND') throw error;
    rootLog().warn('the session is not shared: sharedSession is off in this deployment');
    return undefined;
  }
}
