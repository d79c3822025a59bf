import * as vscode from 'vscode';
import type { ServerConnection } from './server-connection';

/** Shows beside the language of a definition file what is registered and whether anything is wrong. */
export function registerStatus(connection: ServerConnection): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem('capabilities.status', {
    language: 'yaml',
    pattern: '**/.capabilities/**',
  });
  item.name = vscode.l10n.t('Capabilities');
  item.text = vscode.l10n.t('Capabilities: not started');
  item.command = { command: 'capabilities.search', title: vscode.l10n.t('Search') };
  const subscription = connection.onDidChangeStatus((status) => {
    item.text = vscode.l10n.t('{0} actions, {1} recipes in {2} packs', status.actions, status.recipes, status.packs);
    item.severity = status.errors > 0 ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    item.detail = status.errors > 0 ? vscode.l10n.t('{0} errors in definitions', status.errors) : '';
  });
  return vscode.Disposable.from(item, subscription);
}
