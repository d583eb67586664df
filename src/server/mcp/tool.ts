import { z } from 'zod';
import type { Caller } from '../../agents/caller.ts';
import type { LiveContext } from '../../requests/context.ts';
import type { ServerParts } from '../parts.ts';
import type { Carried } from './exchange.ts';
import type { ToolText } from './tool-text.ts';

/**
 * One tool for the models of agents. Their descriptions are in every request of every model: they
 * are short.
 */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The same for an agent that no message wakes; undefined where it makes no difference. */
  readonly unwoken?: string;
  /** Closed: an argument that is not in it is refused. */
  readonly input: z.ZodObject;
  /**
   * Names of CLI Agent Orchestrator for the same arguments: models that know them use them. They
   * are in no list.
   */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly annotations: ToolAnnotations;
  /** Whom it is listed for; without it for everybody. Its request decides by itself. */
  isFor?(context: LiveContext, caller: Pick<Caller, 'agent'>): Promise<boolean>;
  run(call: Call, given: unknown): Promise<Outcome>;
}

/**
 * Hints by which CLIs decide what to ask a person; no tool of ours touches anything but the team.
 */
interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: false;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: false;
}

export const looks: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

export const acts: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  openWorldHint: false,
};

/** Who calls, and when nobody waits any more. */
export interface Call {
  readonly parts: Pick<ServerParts, 'ownEnv' | 'toolCallMsOf'>;
  readonly context: LiveContext;
  readonly caller: Caller;
  /** A message begins a turn of it by itself. */
  readonly isWoken: boolean;
  readonly signal: AbortSignal;
  /** Of the fences in its answer. */
  readonly mark: string;
}

export interface Outcome {
  /**
   * For programs; the text says the same, shorter. Words of others stand in both as they were: the
   * gate is behind them.
   */
  readonly document: Readonly<Record<string, unknown>>;
  readonly text: ToolText;
  /** What counts as handed out only once the client has it (rule 16). */
  readonly carried?: Carried;
}

/** An id, a name or a key of somebody's. */
export const nameInput = z.string().max(200);

/** A tool with its arguments typed by its own schema. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'run' | 'input'> & {
    readonly input: Input;
    run(call: Call, given: z.infer<Input>): Promise<Outcome>;
  },
): Tool {
  return { ...tool, run: (call, given) => tool.run(call, given as z.infer<Input>) };
}
