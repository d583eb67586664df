import type { Document } from './schemas/document.ts';
import type {
  attentionSchema,
  changedLettersSchema,
  completionScriptSchema,
  configPathsSchema,
  configSchema,
  daemonLogSchema,
  downSchema,
  handoffSchema,
  profileListSchema,
  removedProfileSchema,
  restartedSchema,
  revokedSchema,
  runSchema,
  sentSchema,
  settingSchema,
  skippedSchema,
  stoppedSchema,
  terminalLogSchema,
  trustListSchema,
  uninstalledSchema,
  upSchema,
} from './schemas/printed.ts';

/** Documents that the command line alone makes, with `--json`. */

export type SentDocument = Document<typeof sentSchema>;

export type HandoffDocument = Document<typeof handoffSchema>;

export type AttentionDocument = Document<typeof attentionSchema>;

export type StoppedDocument = Document<typeof stoppedSchema>;

export type RestartedDocument = Document<typeof restartedSchema>;

export type Skipped = Document<typeof skippedSchema>;

export type ChangedLetters = Document<typeof changedLettersSchema>;

export type UpDocument = Document<typeof upSchema>;

export type DownResult = Document<typeof downSchema>;

export type Uninstalled = Document<typeof uninstalledSchema>;

export type TrustListDocument = Document<typeof trustListSchema>;

export type RevokedDocument = Document<typeof revokedSchema>;

export type ProfileListDocument = Document<typeof profileListSchema>;

export type RemovedProfile = Document<typeof removedProfileSchema>;

export type TerminalLogDocument = Document<typeof terminalLogSchema>;

export type DaemonLogDocument = Document<typeof daemonLogSchema>;

export type ConfigDocument = Document<typeof configSchema>;

export type ConfigPaths = Document<typeof configPathsSchema>;

export type SettingView = Document<typeof settingSchema>;

export type RunDocument = Document<typeof runSchema>;

export type CompletionScript = Document<typeof completionScriptSchema>;
