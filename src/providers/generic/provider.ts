import type { ConfiguredProvider } from '../../config/providers.ts';
import { cutAnswer, type Painting } from '../cut-answer.ts';
import { noteLacks } from '../lacks.ts';
import type { LaunchPlan, LaunchRequest, ToolServer } from '../launch-plan.ts';
import type { Provider } from '../provider.ts';
import { readHook, readOffer } from './hooks.ts';

/**
 * Any program: `signalbox launch generic -- prog args`. Nothing is known about it but whether it
 * lives.
 */
export const provider: Provider = {
  ...createProvider('generic', 'Any program', ''),
  planLaunch: (request) => plan(request, request.extraArgs.slice(1)),
};

/** A program that a person has described in config.yaml; it is launched by its own name. */
export function createConfiguredProvider(configured: ConfiguredProvider): Provider {
  const [program, ...args] = configured.command;
  const isAsked = configured.patterns.some(({ kind, rows, titles }) =>
    kind === 'waiting' ? rows.length + titles.length > 0 : false,
  );
  const base = createProvider(configured.name, configured.name, program);
  const { answer, told } = configured;
  return {
    ...base,
    ...(answer ? { cutLastAnswer: (text: string) => cutAnswer(text, paint(answer)) } : {}),
    ...(told.hooks ? { readHook, readOffer } : {}),
    capabilities: {
      ...base.capabilities,
      ...(told.hooks ? hooked : {}),
      approvals: isAsked ? 'screen' : 'none',
      pastes: configured.pastes,
    },
    planLaunch: (request: LaunchRequest) => ({
      ...plan(request, [...args, ...request.extraArgs]),
      env: {
        ...(told.tools && request.tools ? { [toolsVariable]: describeServer(request.tools) } : {}),
        ...(told.hooks ? { [hookVariable]: request.hookCommand('', { eventFollows: true }) } : {}),
      },
    }),
  };
}

/**
 * The MCP server named `signalbox`, as JSON in the form that most CLIs have it in their
 * configuration.
 */
const toolsVariable = 'SIGNALBOX_MCP_SERVER';
/** A program: the name of the event is its argument, the payload goes to its stdin. */
const hookVariable = 'SIGNALBOX_HOOK_COMMAND';

/**
 * A program that reports its turns by hooks; nothing is on record that proves what it read
 * (rule 8), so it acks or answers.
 */
const hooked = {
  routes: ['turn-boundary', 'mid-turn', 'paste', 'pull'],
  turnEnds: 'hook',
  turnIds: true,
} as const;

function describeServer({ command, args, http }: ToolServer): string {
  const server = http
    ? { type: 'http', url: http.url, bearerTokenVariable: http.tokenVariable }
    : { command, args };
  return JSON.stringify(server);
}

function createProvider(
  name: string,
  title: string,
  executable: string,
): Omit<Provider, 'planLaunch'> {
  return {
    name,
    aliases: [],
    title,
    executable,
    capabilities: {
      // A guarded paste, and only where the composer can be proven empty; else it pulls.
      routes: ['paste', 'pull'],
      provable: [],
      prompts: ['paste'],
      nativeDuring: [],
      pastes: 'notice',
      turnEnds: 'status',
      evidence: 'none',
      approvals: 'none',
      turnIds: false,
      resume: false,
      permissions: {},
      styledScreen: false,
    },
    firstRunQuestions: [],
    // Programs have no common way to be asked, and starting one only to ask is not ours to do.
    readVersion: async () => undefined,
  };
}

/** Nobody expects a program to have tools; but what a profile asks for in vain is said. */
function plan(request: LaunchRequest, args: readonly string[]): LaunchPlan {
  const role = ['instructions', 'permission', 'allowedTools', 'mcpServers'] as const;
  return {
    argv: [request.executablePath, ...args],
    env: {},
    files: [],
    helpers: [],
    ...noteLacks(request, [...role, 'approvals']),
  };
}

/** It has no tools and no spinner that we know of. */
function paint({
  prompt,
  block,
  end = never,
}: NonNullable<ConfiguredProvider['answer']>): Painting {
  return { prompt, block, end, isNoAnswer: never, result: never, busy: never };
}

const never = /(?!)/;
