import { startSandboxMdm, type SandboxMdm, type SandboxOptions } from '#sandbox/mdm/index.ts';
import { startSecretsManager, type SecretsManager } from '#sandbox/aws/secrets-manager.ts';
import { readSecretsAt } from '../aws/secrets-environment.ts';

export interface MdmStack {
  readonly mdm: SandboxMdm;
  readonly secrets: SecretsManager;
  /** Sets up a new connector configuration, with its own session, and returns its configRef. */
  configure(mdm?: Record<string, unknown>, rest?: Record<string, unknown>): string;
  /** Paths and queries of the requests so far, without logins. */
  urls(): string[];
  close(): Promise<void>;
}

/** A sandbox MDM and a secrets endpoint for handlers that run from source in this process. */
export async function startMdmStack(options: SandboxOptions = {}): Promise<MdmStack> {
  const mdm = await startSandboxMdm(options);
  const secrets = await startSecretsManager({ 'test/default': { mdm: mdm.secret } });
  readSecretsAt(secrets.url);
  process.env.LOG_LEVEL = 'error';
  let configurations = 0;
  return {
    mdm,
    secrets,
    configure(more = {}, rest = {}) {
      const configRef = `c-${++configurations}`;
      secrets.set(`test/${configRef}`, { mdm: { ...mdm.secret, ...more }, ...rest });
      return configRef;
    },
    urls: () => mdm.requests.map(({ url }) => url).filter((url) => !/^\/(saas|ma)\//.test(url)),
    async close() {
      await mdm.close();
      await secrets.close();
    },
  };
}
