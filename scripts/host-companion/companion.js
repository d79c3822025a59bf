const vscode = require('vscode');

const COPILOT = 'GitHub.copilot-chat';

/** Copilot Chat is bundled but disabled until a user signs in; with a model of one's own it works without. */
exports.activate = async () => {
  if (vscode.extensions.getExtension(COPILOT)) return;
  await vscode.commands.executeCommand('workbench.extensions.installExtension', COPILOT, { enable: true });
};
