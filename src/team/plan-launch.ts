import { type Agent, isUser } from '../agents/agent.ts';
import { parseName } from '../agents/agent-name.ts';
import type { Caller } from '../agents/caller.ts';
import type { EndsWith } from '../agents/ending.ts';
import type { WantedLaunch } from '../fleet/fleet.ts';
import type { LaunchTarget } from '../fleet/launch-target.ts';

/** What a launch, or a task that launches its worker, says beside its target. */
export interface LaunchWish {
  readonly cwd: string;
  readonly name?: string | undefined;
  readonly session?: string | undefined;
  readonly parent?: Agent | undefined;
  readonly notify?: boolean | undefined;
  readonly model?: string | undefined;
  readonly terminal?: string | undefined;
  /** With what it ends by itself, where it is launched for a task. */
  readonly endsWith?: EndsWith | undefined;
  readonly worktree?: boolean | undefined;
  readonly extraArgs?: readonly string[] | undefined;
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
  readonly callerEnv: Readonly<Record<string, string>>;
  readonly callerUmask?: number | undefined;
  readonly first?:
    | { readonly body: string; readonly kind?: 'task'; readonly key?: string }
    | undefined;
}

/**
 * A child belongs to what its launcher works on, and is what its profile says, unless it is said
 * otherwise.
 */
export function planLaunch(
  { kind, agent: caller }: Pick<Caller, 'kind' | 'agent'>,
  target: LaunchTarget,
  wish: LaunchWish,
): WantedLaunch {
  const byAgent = isUser(caller) ? undefined : caller;
  const { name, session, first } = wish;
  return {
    provider: target.provider,
    name: name === undefined ? undefined : parseName(name, 'agent'),
    session: session === undefined ? byAgent?.session : parseName(session, 'session'),
    parent: (wish.parent ?? byAgent)?.id,
    notify: wish.notify !== false && target.notify !== false,
    cwd: wish.cwd,
    model: wish.model ?? target.model,
    terminal: wish.terminal,
    role: target.role,
    // A profile's worktree cannot be asked away: it is part of what its agents are allowed.
    worktree: wish.worktree === true || target.worktree === true,
    extraArgs: wish.extraArgs ?? [],
    endsWith: wish.endsWith,
    callerEnv: wish.callerEnv,
    callerUmask: wish.callerUmask,
    extraEnv: { ...target.env, ...wish.extraEnv },
    ...(target.remarks ? { remarks: target.remarks } : {}),
    callerAgent: byAgent?.id,
    message: first && {
      ...{ from: caller.id, ...first },
      ...(kind === 'script' ? { isScript: true } : {}),
      // What an agent launches another for is that one's first prompt, its giver named: a fresh
      // conversation has nothing to consent to (rule 51).
      ...(kind === 'user' || (kind === 'agent' && first.kind === 'task') ? { isPrompt: true } : {}),
    },
  };
}
