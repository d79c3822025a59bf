import { createHash, randomBytes } from 'node:crypto';
import type { Digest } from '../ports';

/** SHA-256 and random ids from Node's crypto. */
export class NodeDigest implements Digest {
  sha256(content: string | Uint8Array): string {
    return createHash('sha256').update(content).digest('hex');
  }

  randomId(): string {
    return randomBytes(16).toString('hex');
  }
}
