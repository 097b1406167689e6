import { ScriptError } from '#scripts/build/script-error.ts';

/** Calls an operation over HTTP. */
export type Post = <T>(route: `/${string}`, parameters: unknown) => Promise<T>;

/**
 * Calls operations of the HTTP API on this port.
 *
 * @throws {ScriptError} if a call is refused: the stack's own calls are valid
 */
export function postTo(port: number): Post {
  return async (route, parameters) => {
    const response = await fetch(`http://localhost:${port}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(parameters),
    });
    const text = await response.text();
    if (!response.ok) throw new ScriptError(`POST ${route} returned ${response.status}: ${reasonOf(response, text)}`);
    return (text === '' ? undefined : JSON.parse(text)) as never;
  };
}

function reasonOf({ headers }: Response, text: string): string {
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
  return isProblem ? (JSON.parse(text) as { detail: string }).detail : text;
}
