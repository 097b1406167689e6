import { readTrace, type FailedInvocation } from '#lib/core/problem.ts';
import { ScriptError } from '#scripts/build/script-error.ts';
import { functionNameOf } from './names.ts';

/** The failure of a function, as a caller of AWS Lambda sees it. */
export class FunctionFailure extends ScriptError {
  readonly errorType: string;
  readonly errorMessage: string;

  constructor(key: string, errorType: string, errorMessage: string) {
    super(`${key} failed with ${errorType}: ${errorMessage}`);
    this.errorType = errorType;
    this.errorMessage = errorMessage;
  }
}

/**
 * Invokes a function of the local stack through its Lambda endpoint; returns its output as text.
 *
 * @throws {FunctionFailure} if the function fails
 * @throws {ScriptError} if the stack does not run
 */
export async function invoke(port: number, key: string, payload: string): Promise<string> {
  const path = `/2015-03-31/functions/${functionNameOf(key)}/invocations`;
  const response = await fetch(`http://localhost:${port}${path}`, { method: 'POST', body: payload }).catch(() => {
    throw new ScriptError(`No Lambda endpoint on port ${port}: npm start runs one`);
  });
  const text = await response.text();
  if (response.ok && !response.headers.has('x-amz-function-error')) return text;
  const failure = JSON.parse(text) as FailedInvocation & { Message?: string };
  const { errorType = 'Lambda', errorMessage = failure.Message ?? text } = failure;
  throw new FunctionFailure(key, readTrace(failure)?.type ?? errorType, errorMessage);
}
