import type { OperatingSystem, Result } from '../models';
import { isForbiddenVariable } from './forbidden-environment';

/** The environment of one run. */
export interface ProcessEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  /** Names whose values come from the host. */
  readonly fromHost: readonly string[];
}

/** What a handler declares about its environment, placeholders already filled. */
export interface EnvironmentDeclaration {
  readonly set: Readonly<Record<string, string>>;
  readonly pass: readonly string[];
}

const everywhere = ['PATH', 'HOME', 'LANG', 'TERM'];
/** Windows programs do not start without these. */
const onWindows = ['PATHEXT', 'SystemRoot', 'SystemDrive', 'USERPROFILE', 'TEMP', 'TMP', 'APPDATA', 'LOCALAPPDATA'];

/**
 * Builds an environment from nothing: PATH, HOME, LANG, TERM, what the handler sets, and the host's variables that it
 * names. Fails with the sentence for the author when a name is forbidden.
 */
export function buildEnvironment(
  declaration: EnvironmentDeclaration,
  os: OperatingSystem,
  hostVariable: (name: string) => string | undefined,
): Result<ProcessEnvironment, string> {
  const forbidden = [...Object.keys(declaration.set), ...declaration.pass].find(isForbiddenVariable);
  if (forbidden !== undefined) {
    return {
      ok: false,
      problem: `it sets or passes on the variable ${forbidden}, which changes how programs load code.`,
    };
  }
  const inherited = [...everywhere, ...(os === 'windows' ? onWindows : []), ...declaration.pass];
  const variables: Record<string, string> = {};
  for (const name of inherited) {
    const value = hostVariable(name);
    if (value !== undefined) variables[name] = value;
  }
  const fromHost = Object.keys(variables).filter((name) => !Object.hasOwn(declaration.set, name));
  return { ok: true, value: { variables: { ...variables, ...declaration.set }, fromHost } };
}
