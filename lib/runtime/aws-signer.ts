import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { awsIdentity } from './config.ts';

/** SHA-256 as the signer asks for it: of one text each time. */
class Sha256 {
  readonly #secret;
  #data: Uint8Array = new Uint8Array();

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret;
  }

  update(data: Uint8Array): void {
    this.#data = data;
  }

  async digest(): Promise<Uint8Array> {
    const secret = this.#secret;
    if (secret === undefined) return hash('sha256', this.#data, 'buffer');
    if (typeof secret === 'string') return ofCredentials(secret, this.#data);
    return createHmac('sha256', keyOf(secret)).update(this.#data).digest();
  }

  reset(): void {}
}

let last: { secret: string; data: Uint8Array; digest: Uint8Array } | undefined;

/** Kept, because the signer looks by it for the key that it made of the same credentials: 20 µs a request. */
function ofCredentials(secret: string, data: Uint8Array): Uint8Array {
  if (last?.secret !== secret || Buffer.compare(last.data, data) !== 0) {
    last = { secret, data, digest: createHmac('sha256', secret).update(data).digest() };
  }
  return last.digest;
}

const keys = new WeakMap<object, KeyObject>();

/** Of bytes a key object: Node 24 takes 20 µs to see that bytes are none. */
function keyOf(secret: ArrayBuffer | ArrayBufferView): KeyObject {
  let key = keys.get(secret);
  if (!key) keys.set(secret, (key = createSecretKey(secret as Uint8Array)));
  return key;
}

type Identity = Pick<ConstructorParameters<typeof SignatureV4>[0], 'credentials' | 'region'>;

/**
 * Signs requests to a service of AWS, by default for the role of the function.
 *
 * @example
 * const signer = awsSigner('lambda');
 * const client = new LambdaClient({ signer });
 */
export function awsSigner(service: string, { credentials, region }: Identity = awsIdentity()): SignatureV4 {
  return new SignatureV4({ credentials, region, service, sha256: Sha256 });
}
