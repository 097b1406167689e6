/* Names of the local stack, which serverless.yml derives from the stage. */

export const STAGE = 'local';

/** Prefix of the names of the stack's secrets. */
export const SECRET_PREFIX = `mdm-stream/${STAGE}/`;

/** The consumer group of the schedules, serverless.yml's `consumerGroup`. */
export const GROUP = 'mdm';

/** Default ports of the local stack. */
export const DEFAULT_PORTS = { http: 3000, lambda: 3002 } as const;

/** The function's name at the Lambda endpoint. */
export const functionNameOf = (key: string) => `mdm-stream-${STAGE}-${key}`;
