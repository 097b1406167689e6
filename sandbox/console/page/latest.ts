import { useRef } from 'preact/hooks';

/**
 * A function that begins a call and shows what it returns, or why it failed, unless a newer call has begun since.
 *
 * @param say shows the message of a failure; called with nothing when a call begins
 */
export function useLatest(say: (message: string) => void) {
  const begun = useRef(0);
  return async <T>(call: Promise<T>, show: (result: T) => void): Promise<void> => {
    const number = ++begun.current;
    say('');
    const showOutcome = await call.then(
      (result) => () => show(result),
      (error: Error) => () => say(error.message),
    );
    if (number === begun.current) showOutcome();
  };
}
