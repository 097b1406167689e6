import { DEFAULT_PORTS } from '#sandbox/stack/names.ts';
import { wholeNumber } from './arguments.ts';

/** The port option of every script that calls the local stack's functions. */
export const LAMBDA_PORT = {
  type: 'string',
  default: String(DEFAULT_PORTS.lambda),
  value: '<port>',
  about: 'Lambda endpoint of the local stack',
} as const;

export const readPort = (name: string, text: string) => wholeNumber(name, text, { max: 65_535 });
