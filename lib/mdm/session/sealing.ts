import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { MdmConfig } from '../../config/config.schema.ts';
import { credentialsOf, type LoginAuth } from './credentials.ts';

/*
 * Shared sessions in Redis are sealed with AES-256-GCM. The key is derived from the credentials, so a changed password
 * finds no old session. The derivation is slow, so that a password cannot be guessed by trial: scrypt with OWASP's
 * parameters for 32 MB, once per container. A `sessionKey` cannot be guessed, and avoids that.
 */

const CIPHER = 'aes-256-gcm';
/** Node takes shorter tags otherwise, which can be guessed. */
const OPTIONS = { authTagLength: 16 };
const SCRYPT = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const MAX_KEPT = 8;
const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
const kept = new Map<string, Promise<Seal>>();

/** Seals and opens texts with the credentials of a configuration. */
export class Seal {
  /** Identifies the credentials without revealing them: 32 hexadecimal characters. */
  readonly name: string;
  readonly #key: Buffer;

  constructor(master: Buffer) {
    this.name = Buffer.from(hkdfSync('sha256', master, '', 'mdm-session name', 16)).toString('hex');
    this.#key = Buffer.from(hkdfSync('sha256', master, '', 'mdm-session key', 32));
  }

  seal(text: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv(CIPHER, this.#key, iv, OPTIONS).setAAD(Buffer.from(this.name));
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** The text; undefined if it was sealed with other credentials or tampered with. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const iv = bytes.subarray(0, 12);
      const decipher = createDecipheriv(CIPHER, this.#key, iv, OPTIONS).setAAD(Buffer.from(this.name));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }
}

/** The seal of a configuration's credentials, derived once and cached. */
export function sealOf({ auth, baseUrl = '', sessionKey }: MdmConfig): Promise<Seal> {
  const { user, secret } = credentialsOf(auth as LoginAuth); // a session that is passed through is not shared
  const salt = createHash('sha256')
    .update(JSON.stringify([...user, baseUrl]))
    .digest();
  const id = createHash('sha256')
    .update(JSON.stringify([salt.toString('hex'), secret, sessionKey]))
    .digest('hex');
  let seal = kept.get(id);
  if (!seal) {
    seal = masterOf(secret, sessionKey, salt).then((master) => new Seal(master));
    kept.set(id, seal);
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  }
  return seal;
}

async function masterOf(secret: string, sessionKey: string | undefined, salt: Buffer): Promise<Buffer> {
  if (sessionKey === undefined) return derive(secret, salt, 32, SCRYPT);
  return Buffer.from(hkdfSync('sha256', JSON.stringify([sessionKey, secret]), salt, 'mdm-session', 32));
}
