import type { OperatingSystem, RuntimeContext } from '../capabilities/models';
import type { HostContext } from '../protocol/requests';

/** Trusts nothing until the client says more. */
export const UNTRUSTED_CONTEXT: HostContext = {
  workspaceTrusted: false,
  roles: [],
  featureFlags: [],
  userPackFolders: [],
};

/** Who asks and from where, for one call. */
export function toRuntimeContext(
  host: HostContext,
  call: { readonly sessionId: string; readonly requestedBy: 'agent' | 'user'; readonly os: OperatingSystem },
): RuntimeContext {
  return {
    host: 'vscode',
    sessionId: call.sessionId,
    principals: [call.requestedBy, 'host:vscode', ...host.roles.map((role) => `role:${role}`)],
    os: call.os,
    workspaceTrusted: host.workspaceTrusted,
    featureFlags: new Set(host.featureFlags),
  };
}
