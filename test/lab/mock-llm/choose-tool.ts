import {
  asObject,
  type Conversation,
  type JsonObject,
  type Tool,
  type ToolCall,
} from './conversation.ts';
import type { Step } from './directives.ts';
import { fillSchema } from './fill-schema.ts';

/**
 * The call that a `@@tool` or `@@mcp` step makes, with the names that the CLI offers; undefined
 * when it offers none.
 */
export function chooseCall(
  step: Extract<Step, { do: 'tool' | 'mcp' }>,
  { tools, model }: Pick<Conversation, 'tools' | 'model'>,
): ToolCall | undefined {
  return step.do === 'tool' ? shellCall(step.command, tools, model) : mcpCall(step, tools);
}

/** The name of a model that never asks to leave the sandbox. */
export const sandboxedModel = 'mock-model-sandboxed';

/** In order of preference: a CLI may offer several. */
const shellNames = [
  'Bash', // Claude Code, Kimi
  'bash', // OpenCode, Copilot
  'run_shell_command', // Gemini, Qwen
  'exec_command', // Codex
  'shell_command',
  'shell',
  'local_shell',
  'Shell',
];

function shellCall(command: string, tools: readonly Tool[], model: string): ToolCall | undefined {
  const tool = shellNames
    .map((name) => tools.find((offered) => offered.name === name))
    .find((found) => found !== undefined);
  if (!tool) return undefined;
  const properties = asObject(tool.schema['properties']);
  const key = 'cmd' in properties ? 'cmd' : 'command';
  const isList = asObject(properties[key])['type'] === 'array';
  const value = isList || tool.style === 'local-shell' ? ['bash', '-lc', command] : command;
  return {
    tool,
    arguments: { ...requiredFields(tool.schema), ...escalation(properties, model), [key]: value },
  };
}

/**
 * Codex 0.166.0 asks a person only about a command that wants to leave the sandbox; with approvals
 * off such a command is refused unseen. Which of the two the home wants, only the model's name can
 * tell us.
 */
function escalation(properties: JsonObject, model: string): JsonObject {
  return 'sandbox_permissions' in properties && model !== sandboxedModel
    ? { sandbox_permissions: 'require_escalated', justification: 'May the lab run this?' }
    : {};
}

function mcpCall(
  { server, tool: name, json }: Extract<Step, { do: 'mcp' }>,
  tools: readonly Tool[],
): ToolCall | undefined {
  const spellings = ['mcp__S__T', 'mcp_S_T', 'S__T', 'S_T', 'S-T', 'T'].map((form) =>
    form.replace('S', server).replace('T', name),
  );
  const tool = spellings
    .map((spelling) => tools.find((offered) => fullName(offered) === spelling))
    .find((found) => found !== undefined);
  // Qwen 0.24.4 defers MCP tools: they are not offered, and can be called all the same.
  const deferred: Tool = { name: spellings[0] ?? '', style: 'function', schema: {} };
  return { tool: tool ?? deferred, arguments: parseArguments(json) };
}

function fullName({ namespace, name }: Tool): string {
  return namespace ? `${namespace.replace(/_+$/, '')}__${name}` : name;
}

function parseArguments(json: string): JsonObject {
  try {
    return asObject(JSON.parse(json));
  } catch {
    return { unreadable: json };
  }
}

/** Fills what a schema insists on beside the command, such as a description. */
function requiredFields(schema: JsonObject): JsonObject {
  return asObject(fillSchema({ ...schema, type: 'object' }, 'lab command'));
}
