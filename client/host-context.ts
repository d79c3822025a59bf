import * as vscode from 'vscode';
import type { MeaningSettings } from '../capabilities/models';
import type { HostContext } from '../protocol/requests';

/** Section of the settings; every setting's scope keeps workspaces from widening it. */
export const SETTINGS_SECTION = 'capabilities';

/** Reads what only the editor knows: trust and the user's own settings. */
export function readHostContext(): HostContext {
  const settings = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  return {
    workspaceTrusted: vscode.workspace.isTrusted,
    roles: settings.get<string[]>('roles', []),
    featureFlags: settings.get<string[]>('featureFlags', []),
    userPackFolders: settings.get<string[]>('userPackFolders', []),
    restatesGoals: settings.get<boolean>('search.restateWithModel', false),
    checksDiscoverability: settings.get<boolean>('discoverability.enabled', true),
    meaning: {
      mode: settings.get<MeaningSettings['mode']>('search.meaning', 'offline'),
      url: settings.get<string>('search.embeddings.url', ''),
      model: settings.get<string>('search.embeddings.model', ''),
      dimensions: settings.get<number>('search.embeddings.dimensions', 0),
    },
    isolationFallback: settings.get<HostContext['isolationFallback']>('isolation.whenUnavailable', 'refuse'),
    budget: readBudget(settings),
    usesHistory: settings.get<boolean>('history.enabled', true),
  };
}

function readBudget(settings: vscode.WorkspaceConfiguration): HostContext['budget'] {
  const amounts = (whose: 'session' | 'action'): HostContext['budget']['session'] => ({
    runs: settings.get<number>(`budget.${whose}.runs`, 0),
    seconds: settings.get<number>(`budget.${whose}.seconds`, 0),
    outputBytes: settings.get<number>(`budget.${whose}.outputKilobytes`, 0) * 1024,
  });
  return {
    windowMinutes: settings.get<number>('budget.windowMinutes', 60),
    session: amounts('session'),
    action: amounts('action'),
  };
}

/** Calls back whenever the answer of `readHostContext` may have changed. */
export function onDidChangeHostContext(listener: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(listener),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTINGS_SECTION)) listener();
    }),
  );
}
