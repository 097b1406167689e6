import { html } from 'htm/preact';
import type { Document } from './document.ts';
import type { SignIn } from './credentials.ts';
import { REGION } from './sign-in.ts';
import { prose } from './text.ts';
import type { Operation } from './openapi.ts';
import { TryIt } from './try-it.ts';

interface Properties {
  signIn: SignIn;
  onSignIn: (signIn: SignIn) => void;
}

/** The operation of the first call: it needs nothing, and answers at once. */
const FIRST = 'mdm-business-entities';

/** The first screen: a call that can be sent, with its answer beside it. */
export function Introduction({ document: openapi, operations, signIn }: IntroductionProperties) {
  const first = operations.find(({ id }) => id === FIRST) ?? operations[0];
  return html`
    <section class="introduction">
      <h1>Master data and Redis Streams, one POST each</h1>
      <p>
        Every operation takes one JSON object and gives one output. Send this call, or edit it; each operation below has
        one of its own. A deployed API asks you to <a href="#sign-in">sign in</a> first.
      </p>
      ${
        first &&
        html`<p class="route"><span class="method">POST</span> <code>${first.path}</code> ${first.summary}.</p>
          <${TryIt} operation=${first} signIn=${signIn} prefix="first-" isFirst />`
      }
      <details>
        <summary>About this API</summary>
        <p>${prose(openapi.info.description ?? '')}</p>
      </details>
    </section>
  `;
}

interface IntroductionProperties {
  document: Document;
  operations: readonly Operation[];
  signIn: SignIn;
}

/** Signing in, and the errors. */
export function Appendix({ signIn, onSignIn }: Properties) {
  return html`
    <section class="introduction">
      <h2 id="sign-in">Sign in</h2>
      <p>
        The local stack asks for nothing. A deployed API is behind an authorizer: IAM unless it was deployed otherwise.
        What you enter stays in this tab and signs the calls that you send from it.
      </p>
      <${SignInForm} signIn=${signIn} onSignIn=${onSignIn} />
      <details>
        <summary>How to open this page on a deployed API</summary>
        <p>
          ${prose(
            'Deploy with `--param publicDocs=on`: then `/`, `/docs` and `/openapi.json` open without a sign-in, and ' +
              'every operation still asks for one.',
          )}
        </p>
      </details>
      <${Errors} />
    </section>
  `;
}

function SignInForm({ signIn, onSignIn }: Properties) {
  const choose = (event: Event) => onSignIn(EMPTY[(event.currentTarget as HTMLSelectElement).value as SignIn['kind']]);
  const field = (name: string, label: string, isSecret = false) => {
    const change = (event: Event) =>
      onSignIn({ ...signIn, [name]: (event.currentTarget as HTMLInputElement).value.trim() });
    return html`<label>
      ${label}
      <input
        type=${isSecret ? 'password' : 'text'}
        autocomplete="off"
        value=${(signIn as unknown as Record<string, string>)[name]}
        onInput=${change}
      />
    </label>`;
  };
  return html`
    <form class="sign-in" onSubmit=${(event: Event) => event.preventDefault()}>
      <label>
        Method
        <select value=${signIn.kind} onChange=${choose}>
          <option value="none">None</option>
          <option value="iam">IAM, Signature Version 4</option>
          <option value="jwt">JWT</option>
        </select>
      </label>
      ${
        signIn.kind === 'iam' &&
        html`${field('accessKeyId', 'Access key id')} ${field('secretAccessKey', 'Secret access key', true)}
        ${field('sessionToken', 'Session token, if any', true)} ${field('region', 'Region')}`
      }
      ${signIn.kind === 'jwt' && field('token', 'Token', true)}
    </form>
  `;
}

const EMPTY: Record<SignIn['kind'], SignIn> = {
  none: { kind: 'none' },
  iam: { kind: 'iam', accessKeyId: '', secretAccessKey: '', sessionToken: '', region: REGION },
  jwt: { kind: 'jwt', token: '' },
};

const TYPES = [
  ['MDM:CLIENT_ERROR', 'Invalid input, or the API responded 4xx.', 'No, but for 429'],
  ['MDM:SERVER_ERROR', 'The API responded 5xx, or with an invalid body.', '502, 503, 504'],
  ['MDM:TIMEOUT', 'The API did not respond in time.', 'Yes'],
  ['MDM:CONNECTIVITY', 'The API is out of reach.', 'Yes'],
  ['STREAM:ARGUMENT', 'Invalid input.', 'No'],
  ['STREAM:WRONG_TYPE', 'The key holds no stream.', 'No'],
  ['STREAM:COMMAND', 'Redis refused the command, or is out of reach.', '503, 504'],
  ['CONNECTOR:CHECK', 'A check failed, as a direct or scheduled invocation.', 'After the cause is repaired'],
  ['CONNECTOR:CONFIGURATION', 'The secret of the configRef is invalid or cannot be read.', 'After it is repaired'],
  ['CONNECTOR:INTERNAL', 'A bug of this software; its log has the cause.', 'No'],
] as const;

function Errors() {
  return html`
    <h2 id="errors">Errors</h2>
    <p>
      ${prose(
        'A call that fails gets a problem document (RFC 9457): `type` names the kind of error, `detail` describes ' +
          'it in a sentence, `errors` lists every fault of the input by JSON Pointer, `outcome` says whether the ' +
          'call may have been carried out, `retryable` whether the same call may succeed later and can do no harm, ' +
          'and `requestId` finds it in the log.',
      )}
    </p>
    <div class="scroll" tabindex="0" role="region" aria-label="Error types">
      <table>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">When</th>
            <th scope="col">May succeed later</th>
          </tr>
        </thead>
        <tbody>
          ${TYPES.map(
            ([type, when, retry]) =>
              html`<tr key=${type}>
                <th scope="row"><code>${type}</code></th>
                <td>${when}</td>
                <td>${retry}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}
