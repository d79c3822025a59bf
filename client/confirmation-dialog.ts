import * as vscode from 'vscode';
import type { ConfirmationAnswer } from '../capabilities/models';
import type { ApprovePackParams, ConfirmParams } from '../protocol/requests';

/**
 * Shows the one native dialog of a run and returns the person's choice. Cancel, Escape and closing the window all
 * mean `declined`. The text is the engine's; only the buttons are named here.
 */
export async function showConfirmationDialog(params: ConfirmParams): Promise<ConfirmationAnswer> {
  const runOnce = vscode.l10n.t('Run once');
  const allowForSession = vscode.l10n.t('Allow this exact call for the session');
  const buttons = params.canAllowForSession ? [runOnce, allowForSession] : [runOnce];
  const choice = await vscode.window.showWarningMessage(
    params.title,
    { modal: true, detail: params.detail },
    ...buttons,
  );
  if (choice === runOnce) return 'run_once';
  return choice === allowForSession ? 'allow_for_session' : 'declined';
}

/** Asks whether a pack may run. Anything but the one button is a no. */
export async function showApprovalDialog({ title, detail }: ApprovePackParams): Promise<'approved' | 'declined'> {
  const approve = vscode.l10n.t('Approve pack');
  const choice = await vscode.window.showWarningMessage(title, { modal: true, detail }, approve);
  return choice === approve ? 'approved' : 'declined';
}
