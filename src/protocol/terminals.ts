import type { Document } from './schemas/document.ts';
import type {
  attachSchema,
  hookResultSchema,
  launchSchema,
  outputModeSchema,
  outputPieceSchema,
  outputSchema,
  restartSchema,
  stopSchema,
} from './schemas/terminals.ts';

export type LaunchRequest = Document<typeof launchSchema>;

export type RestartRequest = Document<typeof restartSchema>;

export type StopView = Document<typeof stopSchema>;

export type OutputMode = Document<typeof outputModeSchema>;

export type OutputView = Document<typeof outputSchema>;

/** One piece of raw output: base64, or how many bytes were dropped in its place. */
export type OutputPiece = Document<typeof outputPieceSchema>;

export type AttachView = Document<typeof attachSchema>;

export type HookResult = Document<typeof hookResultSchema>;
