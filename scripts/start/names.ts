import { fileURLToPath } from 'node:url';

/* What the local stack is called: serverless.yml makes its names of the stage. */

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const STAGE = 'local';

/** What the names of the stack's secrets begin with. */
export const SECRET_PREFIX = `mdm-stream/${STAGE}/`;

/** The consumer group of the schedules, serverless.yml's `consumerGroup`. */
export const GROUP = 'mdm';

/** Ports of the local stack, where none are chosen. */
export const DEFAULT_PORTS = { http: 3000, lambda: 3002 } as const;

/** The name that the Lambda endpoint knows a function by. */
export const functionNameOf = (key: string) => `mdm-stream-${STAGE}-${key}`;
