import { readTrace, type FailedInvocation } from '#lib/core/problem.ts';
import { ScriptError } from '#scripts/build/script-error.ts';
import { functionNameOf } from './names.ts';

/** The failure of a function, as a caller of AWS Lambda sees it. */
export class FunctionFailure extends ScriptError {
  readonly errorType: string;
  readonly errorMessage: string;
  /** What most likely repairs it, where the function says so. */
  readonly hint: string | undefined;

  /** @param failure as Lambda returns it */
  constructor(key: string, failure: FailedInvocation, unknownType = 'Lambda') {
    const problem = readTrace(failure);
    const { errorType = unknownType, errorMessage = '' } = failure;
    const type = problem?.type ?? errorType;
    super(`${key} failed with ${type}: ${errorMessage}`);
    this.errorType = type;
    this.errorMessage = errorMessage;
    this.hint = problem?.hint;
  }

  /** For a person at a terminal: what failed, and the cure in a line of its own. */
  get text(): string {
    const cure = this.hint === undefined ? '' : `\n→ ${this.hint}`;
    return `${this.errorType}: ${this.errorMessage}${cure}`;
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
  throw new FunctionFailure(key, { ...failure, errorMessage: failure.errorMessage ?? failure.Message ?? text });
}
