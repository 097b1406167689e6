import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** What would happen, and the ways to let it happen. */
export interface Plan {
  readonly title: string;
  readonly lines: readonly string[];
  readonly steps: readonly { label: string; take: () => Promise<void> }[];
}

interface ConfirmationProps {
  plan: Plan;
  /** Does a step, and reports when it fails. */
  attempt: (step: () => Promise<void>) => Promise<void>;
  /** Gets whether a step was taken. */
  onClose: (isDone: boolean) => void;
}

/**
 * Shows a plan; nothing happens before the user chooses a step of it. Each plan needs a `key` of its own: a dialog
 * reports some time after it closed, when the next one may be open.
 */
export function Confirmation({ plan: { title, lines, steps }, attempt, onClose }: ConfirmationProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => dialog.current!.showModal(), []);
  const close = (outcome = '') => dialog.current!.close(outcome);
  const choose = async (take: () => Promise<void>) => {
    setBusy(true);
    await attempt(take);
    close('done');
  };
  const report = ({ currentTarget }: Event) => onClose((currentTarget as HTMLDialogElement).returnValue === 'done');
  return html`
    <dialog ref=${dialog} aria-labelledby="plan" onClose=${report}>
      <h3 id="plan">${title}</h3>
      ${lines.map((line) => html`<p key=${line}>${line}</p>`)}
      <div class="buttons">
        ${steps.map(
          ({ label, take }) =>
            html`<button key=${label} class="run" disabled=${isBusy} onClick=${() => choose(take)}>${label}</button>`,
        )}
        <button autofocus onClick=${() => close()}>Cancel</button>
      </div>
    </dialog>
  `;
}
