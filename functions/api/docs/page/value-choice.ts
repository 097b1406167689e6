import { html } from 'htm/preact';
import { createContext } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import type { SignIn } from './credentials.ts';
import { send } from './sign-in.ts';

interface Choice {
  readonly id: string;
  readonly displayName: string;
}

/** A member of the parameters whose values the tenant knows, and the operation that lists them. */
interface Provider {
  readonly member: string;
  readonly label: string;
  /** That of the operation that lists them. */
  readonly path: string;
  /** Another member that narrows the values. */
  readonly narrowedBy?: string;
}

const PROVIDERS: readonly Provider[] = [
  { member: 'businessEntity', label: 'Business entity', path: '/mdm/business-entities' },
  { member: 'sourceSystem', label: 'Source system', path: '/mdm/source-systems', narrowedBy: 'businessEntity' },
];

interface Properties {
  /** Names of the operation's parameters. */
  names: readonly string[];
  body: string;
  onBody: (body: string) => void;
  signIn: SignIn;
}

/** The paths of the operations that are deployed. */
export const DeployedPaths = createContext<readonly string[]>([]);

/** Drop-downs of the tenant's values, for the members that have some which a deployed operation lists. */
export function ValueChoices({ names, ...rest }: Properties) {
  const paths = useContext(DeployedPaths);
  const offered = PROVIDERS.filter(({ member, path }) => names.includes(member) && paths.includes(path));
  if (offered.length === 0) return undefined;
  return html`
    <div class="choices">
      ${offered.map((provider) => html`<${ValueChoice} key=${provider.member} provider=${provider} ...${rest} />`)}
    </div>
  `;
}

function ValueChoice({ provider, body, onBody, signIn }: Omit<Properties, 'names'> & { provider: Provider }) {
  const { member, label, path, narrowedBy: of } = provider;
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  /** The question whose answer is shown or awaited. */
  const asked = useRef('');
  const [problem, setProblem] = useState('');
  const chosen = valueOf(body, member) ?? '';
  const narrowed = of && valueOf(body, of);
  const parameters = JSON.stringify(of && narrowed ? { [of]: narrowed } : {});

  const load = async () => {
    const question = parameters + JSON.stringify(signIn);
    if (question === asked.current) return;
    asked.current = question;
    const show = (answer: readonly Choice[], why = '') => {
      if (asked.current !== question) return; // another was asked since
      if (why) asked.current = ''; // may be asked again
      setProblem(why);
      setChoices(answer);
    };
    try {
      const response = await send(new URL(path.slice(1), document.baseURI).href, parameters, signIn);
      const answer = (await response.json()) as readonly Choice[] & { detail?: string };
      if (response.ok) show(answer);
      else show([], answer.detail ?? `answered ${response.status}`);
    } catch (error) {
      show([], (error as Error).message);
    }
  };
  const known = choices.some(({ id }) => id === chosen);
  return html`
    <label>
      ${label}
      <select
        value=${chosen}
        onFocus=${load}
        onPointerDown=${load}
        onChange=${(event: Event) => onBody(withValue(body, member, (event.currentTarget as HTMLSelectElement).value))}
      >
        ${!known && html`<option value=${chosen}>${chosen || 'Choose…'}</option>`}
        ${choices.map(({ id, displayName }) => html`<option key=${id} value=${id}>${displayName} (${id})</option>`)}
      </select>
      ${problem && html`<span role="alert" class="status error">${problem}</span>`}
    </label>
  `;
}

const patternOf = (member: string) => new RegExp(`("${member}"\\s*:\\s*)"((?:[^"\\\\]|\\\\.)*)"`);

/** The text of a member; undefined if the body has none. */
const valueOf = (body: string, member: string): string | undefined => patternOf(member).exec(body)?.[2];

/** The body with another value of a member. The rest stays as it was written, digit by digit. */
function withValue(body: string, member: string, value: string): string {
  const pattern = patternOf(member);
  if (pattern.test(body)) return body.replace(pattern, (_, before: string) => before + JSON.stringify(value));
  const isEmpty = /^\s*\{\s*\}\s*$/.test(body);
  return body.replace('{', () => `{\n  "${member}": ${JSON.stringify(value)}${isEmpty ? '\n' : ','}`);
}
