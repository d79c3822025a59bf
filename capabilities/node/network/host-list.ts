import { isIP } from 'node:net';

/** A host that may be reached. */
interface AllowedHost {
  /** As the URL parser writes it: lower case, numbers as dotted decimals, IPv6 without brackets. */
  readonly host: string;
  /** Undefined: the ports of the web, 80 and 443. */
  readonly port: number | undefined;
  /** `*.example.com`: names below it, and not itself. */
  readonly isBelow: boolean;
}

const WEB_PORTS = [80, 443];

/** The hosts that a definition names (`example.com`, `example.com:8443`, `*.example.com`, `[::1]:8080`). */
export class HostList {
  readonly #hosts: readonly AllowedHost[];

  /** What is no host is left out: it can't be reached. */
  constructor(entries: readonly string[]) {
    this.#hosts = entries.flatMap((entry) => parseEntry(entry) ?? []);
  }

  /** Whether a host, written in whatever way, is named with this port. */
  admits(host: string, port: number): boolean {
    const name = normalizeHost(host);
    return name !== undefined && this.#hosts.some((allowed) => isHost(allowed, name) && isPort(allowed, port));
  }

  /** Whether an address may be reached although it is not public: it stands in the list itself, or as `localhost`. */
  namesAddress(host: string): boolean {
    const name = normalizeHost(host);
    const isPlace = name !== undefined && (isIP(name) !== 0 || name === 'localhost');
    return isPlace && this.#hosts.some(({ host: allowed, isBelow }) => !isBelow && allowed === name);
  }
}

/** A host as the URL parser of the web reads it, so that `0x7f.1`, `①②⑦.0.0.1` and `LOCALHOST.` are what they are; undefined when it is none. */
export function normalizeHost(host: string): string | undefined {
  if (host === '' || /[\s/@?#\\]/u.test(host)) return undefined;
  const bare = host.startsWith('[') ? host : isIP(host) === 6 ? `[${host}]` : host;
  try {
    const { hostname, port, username } = new URL(`http://${bare}/`);
    if (port !== '' || username !== '') return undefined;
    return hostname
      .replace(/^\[|\]$/gu, '')
      .replace(/\.$/u, '')
      .toLowerCase();
  } catch {
    return undefined;
  }
}

function parseEntry(entry: string): AllowedHost | undefined {
  const isBelow = entry.startsWith('*.');
  const [, host = '', port] =
    /^(\[[^\]]*\]|[^:]*|[0-9a-f:]*)(?::(\d{1,5}))?$/iu.exec(isBelow ? entry.slice(2) : entry) ?? [];
  const name = normalizeHost(host);
  if (name === undefined || name === '') return undefined;
  return { host: name, isBelow, port: port === undefined ? undefined : Number(port) };
}

function isHost({ host, isBelow }: AllowedHost, name: string): boolean {
  return isBelow ? name.endsWith(`.${host}`) : name === host;
}

function isPort({ port }: AllowedHost, asked: number): boolean {
  return port === undefined ? WEB_PORTS.includes(asked) : port === asked;
}
