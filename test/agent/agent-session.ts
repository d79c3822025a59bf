import { ChatPanel, type ToolConfirmation } from './chat-panel.js';
import { MODEL_VENDOR, ScriptedModel, type ScriptStep } from './scripted-model.js';
import { launchWorkbench, type VsCode, type Workbench, type WorkbenchOptions } from '../host/workbench.js';

/** How to start an agent session: the workbench's options and these. */
export interface AgentSessionOptions extends WorkbenchOptions {
  /** What the model does; more can be added later with `model.extend`. */
  readonly script?: readonly ScriptStep[];
  /** What to do when VS Code itself asks for approval of a tool; `allow` by default. `leave` leaves it to the test. */
  readonly toolConfirmation?: ToolConfirmation;
  /** How long a turn may take, in milliseconds; 60 s by default. */
  readonly turnTimeout?: number;
}

/** A turn of the agent that is under way. */
export interface Turn {
  /** Resolves with the response's text when the agent is done, also when it failed or was cancelled. */
  readonly finished: Promise<string>;
}

/** Copilot's agent mode in a real VS Code, with a model that follows a script. */
export interface AgentSession {
  readonly model: ScriptedModel;
  readonly workbench: Workbench;
  /** VS Code's own tool confirmations that were answered, by their text. */
  readonly confirmations: readonly string[];
  /** Sends a query to the agent in the current chat. Returns at once, so that the test can answer dialogs. */
  ask(query: string): Turn;
  /** Cancels the turn that is under way, as the user's Cancel button does. */
  cancel(): Promise<void>;
  /** Starts an empty chat; approvals "in this session" end with the old one. */
  newChat(): Promise<void>;
  /** Everything that the chat shows. */
  chatText(): Promise<string>;
  screenshot(name: string): Promise<string>;
  /** Ends VS Code and the model. Safe to call twice. */
  close(): Promise<void>;
}

const COPILOT = 'GitHub.copilot-chat';
const MODEL_TIMEOUT = 60_000;
const DEFAULT_TURN_TIMEOUT = 60_000;

/** Starts VS Code with the bundled Copilot enabled, and resolves when it knows the scripted model. */
export async function startAgentSession(options: AgentSessionOptions = {}): Promise<AgentSession> {
  const model = await ScriptedModel.start(options.script);
  try {
    const workbench = await launchWorkbench({
      ...options,
      userFiles: { ...options.userFiles, 'chatLanguageModels.json': model.chatLanguageModels() },
    });
    try {
      await workbench.step('Enabling Copilot', enableCopilot(workbench));
      return createSession(model, workbench, options);
    } catch (error) {
      await workbench.close();
      throw error;
    }
  } catch (error) {
    await model.close();
    throw error;
  }
}

async function enableCopilot(workbench: Workbench): Promise<void> {
  await workbench.inside(async (vscode, extension) => {
    await vscode.commands.executeCommand('workbench.extensions.installExtension', extension, { enable: true });
  }, COPILOT);
  await workbench.inside(waitForModel, MODEL_VENDOR, MODEL_TIMEOUT);
}

/** Runs inside the extension host. */
async function waitForModel(vscode: VsCode, vendor: string, timeout: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const expiry = setTimeout(() => {
      reject(new Error('Copilot offers no model of the vendor ' + vendor));
    }, timeout);
    const look = async () => {
      if ((await vscode.lm.selectChatModels({ vendor })).length === 0) return;
      clearTimeout(expiry);
      subscription.dispose();
      resolve();
    };
    const subscription = vscode.lm.onDidChangeChatModels(() => void look());
    void look();
  });
}

function createSession(model: ScriptedModel, workbench: Workbench, options: AgentSessionOptions): AgentSession {
  const panel = new ChatPanel(workbench, options.toolConfirmation ?? 'allow');
  const timeout = options.turnTimeout ?? DEFAULT_TURN_TIMEOUT;
  return {
    model,
    workbench,
    confirmations: panel.confirmations,
    ask(query) {
      const finished = workbench.step(`The agent's turn "${query}"`, panel.ask(query, MODEL_VENDOR, timeout));
      // A test that fails on a dialog leaves its turn behind; that must not fail the run a second time.
      finished.catch(() => undefined);
      return { finished };
    },
    cancel: async () => execute(workbench, 'workbench.action.chat.cancel'),
    newChat: async () => execute(workbench, 'workbench.action.chat.newChat'),
    chatText: async () => panel.text(),
    screenshot: async (name) => workbench.screenshot(name),
    async close() {
      await workbench.close();
      await model.close();
    },
  };
}

async function execute(workbench: Workbench, command: string): Promise<void> {
  await workbench.inside(async (vscode, name) => {
    await vscode.commands.executeCommand(name);
  }, command);
}
