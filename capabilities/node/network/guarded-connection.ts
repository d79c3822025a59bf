import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { isPublicAddress } from './address-ranges';
import { normalizeHost, type HostList } from './host-list';

/** Why nothing was connected. */
export interface ConnectionRefusal {
  readonly kind: 'not-listed' | 'not-public' | 'unreachable';
  /** One sentence. */
  readonly reason: string;
}

/** A connection, or why there is none. */
export type ConnectionResult =
  { readonly ok: true; readonly socket: Socket } | { readonly ok: false; readonly refusal: ConnectionRefusal };

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 10_000;

/**
 * Connects to a host of the list and to nothing else. The name is looked up once and the checked address is dialled, so that a name that answers
 * differently the second time gains nothing; addresses that are not public are dialled only where the list names them. Never rejects.
 */
export async function connectGuarded(
  target: { readonly host: string; readonly port: number },
  allowed: HostList,
  resolve: Resolve = resolveAll,
): Promise<ConnectionResult> {
  const host = normalizeHost(target.host);
  if (host === undefined || !allowed.admits(host, target.port)) {
    return refuse('not-listed', `${target.host}:${target.port} is not among the hosts it may reach.`);
  }
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  const open = addresses.filter(
    (address) => isPublicAddress(address) || allowed.namesAddress(address) || allowed.namesAddress(host),
  );
  const [address] = open;
  if (addresses.length === 0) return refuse('unreachable', `${host} can't be resolved.`);
  if (address === undefined)
    return refuse('not-public', `${host} leads to an address that is not public (${addresses.join(', ')}).`);
  return dial(address, target.port);
}

async function resolveAll(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

function dial(host: string, port: number): Promise<ConnectionResult> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const fail = (reason: string): void => {
      socket.destroy();
      resolve(refuse('unreachable', reason));
    };
    socket.setTimeout(TIMEOUT_MS, () => {
      fail(`${host}:${port} did not answer in time.`);
    });
    socket.once('error', (error) => {
      fail(`${host}:${port} can't be reached (${error.message}).`);
    });
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.removeAllListeners('error');
      resolve({ ok: true, socket });
    });
  });
}

function refuse(
  kind: ConnectionRefusal['kind'],
  reason: string,
): { readonly ok: false; readonly refusal: ConnectionRefusal } {
  return { ok: false, refusal: { kind, reason } };
}
