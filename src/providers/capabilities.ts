import type { Permission } from '../agents/permission.ts';
import type { Route } from '../messages/claim.ts';
import type { SyntaxByRoute } from '../messages/escape-syntax.ts';
import type { ScreenGuard } from '../terminals/writing.ts';

/** What delivery and the fleet can expect of one CLI, as data. */
export interface ProviderCapabilities {
  /** Ways in, best first. */
  readonly routes: readonly Route[];
  readonly evidence: 'transcript' | 'api' | 'none';
  readonly approvals: 'state' | 'hook' | 'screen' | 'none';
  /** Routes with a standing rule of evidence; on others `injected` is the end (rule 8). */
  readonly provable: readonly Route[];
  /**
   * Routes by which a text reaches the model as a prompt of the person, by the bytes of the model's
   * request; by the others it is a notice (rule 51).
   */
  readonly prompts: readonly Route[];
  /**
   * Text and Enter are written in one command, so no person's key comes between them: the CLI
   * swallows no Enter behind a paste. It is never pressed again then.
   */
  readonly pastesWithEnter?: true;
  /**
   * The first version that does so. An older one now and then swallows that Enter, and nobody may
   * press it again: there the user's words are notices, and a line of ours takes two commands.
   */
  readonly pastesWithEnterSince?: string;
  /**
   * Where they are two commands: how soon Enter may follow once the whole text is seen in the
   * composer, in milliseconds. An Enter that comes too soon must be a new line of the text, which
   * the CLI cuts off at the end. Undefined: 300 ms after the paste.
   */
  readonly entersSoonMs?: number;
  /** Its hook for a submitted prompt tells the prompt byte for byte, as it was pasted. */
  readonly tellsSubmitted?: 'exactly';
  /**
   * When its native route takes a text besides at rest: its own queue holds what comes while it
   * works, or in a dialog. Nothing is given it in a dialog (rule 51c); but where it takes all, an
   * unknown status keeps nothing back (rule 44).
   */
  readonly nativeDuring: readonly ('processing' | 'waiting')[];
  /**
   * What a person's Esc does to that queue, in the worst of what was tried in the lab (an answer, a
   * tool, a dialog, two Escs): messages stay in it or are read at once, go into the person's
   * composer, or are gone. Where it does not keep them, delivery puts none into it: the agent gets
   * them at its next turn boundary or at rest (rule 22). Undefined where it takes nothing of ours.
   */
  readonly queueOnEsc?: QueueOnEsc;
  /**
   * What comes by it goes where typed text goes: in a mode of the composer (`!`, a shell's
   * commands) it is no prompt.
   */
  readonly nativeInComposer?: true;
  /**
   * A hook's reply can hold a line for the person who looks at it, which the model does not get.
   * Without it, the person sees a message that comes by a hook only as far as the CLI shows it.
   */
  readonly showsSenders?: true;
  /** Its native route is a hook that waits for something to say. */
  readonly waitingHook?: true;
  /**
   * Used at rest while what its native route stands on is gone and cannot be put up again
   * (rule 53): the messages themselves are pasted, or one line which says that mail waits.
   */
  readonly takesOver?: 'paste' | 'notice';
  /**
   * Signs in a text that it acts on, by the route that the text comes by; on a route that is not
   * here it takes every text as it is. In the words of others they are escaped (rule 51f).
   */
  readonly syntax?: SyntaxByRoute;
  /** What is pasted: the messages themselves, or one line that tells it to drain (O13). */
  readonly pastes?: 'message' | 'notice';
  /** Consecutive blocks that the CLI itself allows; ours stay below (rule 19). */
  readonly maxBlocks?: number;
  /**
   * The one authority for turn ends (rule 26): its hooks, its own state, or, without either, the
   * status.
   */
  readonly turnEnds: 'hook' | 'state' | 'status';
  /** The CLI names its turns. */
  readonly turnIds: boolean;
  readonly resume: boolean;
  /** Its own modes of permission on the one scale; a mode that is not here counts as `all`. */
  readonly permissions: Readonly<Record<string, Permission>>;
  /**
   * How long it lets one call of an MCP tool take, where the lab has shown more than 45 s;
   * milliseconds.
   */
  readonly toolCallMs?: number;
  /** A call of a tool that a person breaks off is not cancelled at its server. */
  readonly forgetsCalls?: true;
  /**
   * What the screen must look like when something is typed, asked by the terminal's backend in the
   * very command that types. `absent`: rows of what Enter would answer, whenever that is open.
   * `present`: the empty composer, when a text is pasted.
   */
  readonly pasteGuard?: ScreenGuard;
  /**
   * What ends its turn where no way in of its own does: one Esc for each of these, pressed only
   * while the screen looks like that, which is asked in the very command that presses. `present` is
   * a sign of work that an agent at rest does not show. Undefined: no key is pressed.
   */
  readonly interruptKeys?: readonly InterruptKey[];
  /** Its detector needs colours and weight of the text. */
  readonly styledScreen: boolean;
}

/** One Esc. `isSpared`: where the screen does not look like that, it is left out. */
export interface InterruptKey extends ScreenGuard {
  readonly isSpared?: true;
}

export type QueueOnEsc = 'kept' | 'returned' | 'dropped';

/**
 * Several CLIs give up on a call after 60 s; 45 s leave room for a launch that takes its time
 * (rule 31).
 */
export const ordinaryCallMs = 45_000;
