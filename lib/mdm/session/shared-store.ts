import { rootLog } from '../../runtime/config.ts';
import type { MdmConfig } from '../../runtime/config.schema.ts';

/**
 * What shares sessions between containers, read on demand, because it holds a Redis client. Undefined where each container
 * logs in for itself: the configuration shares nothing, or the deployment left it out (`sharedSession` is off).
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
