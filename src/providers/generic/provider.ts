import type { ConfiguredProvider } from '../../config/providers.ts';
import { cutAnswer, type Painting } from '../cut-answer.ts';
import { noteLacks } from '../lacks.ts';
import type { LaunchPlan, LaunchRequest, Provider } from '../provider.ts';

/** Any program: `signalbox launch generic -- prog args`. Nothing is known about it but whether it lives. */
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
  const { answer } = configured;
  return {
    ...base,
    ...(answer ? { cutLastAnswer: (text: string) => cutAnswer(text, paint(answer)) } : {}),
    capabilities: {
      ...base.capabilities,
      approvals: isAsked ? 'screen' : 'none',
      pastes: configured.pastes,
    },
    planLaunch: (request: LaunchRequest) => plan(request, [...args, ...request.extraArgs]),
  };
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
  const lost = ['instructions', 'permission', 'allowedTools', 'mcpServers'] as const;
  return {
    argv: [request.executablePath, ...args],
    env: {},
    files: [],
    helpers: [],
    ...noteLacks(request, lost),
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
