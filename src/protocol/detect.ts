import type { detectorRulesSchema, detectResultSchema, ruleSchema } from './schemas/detect.ts';
import type { Document } from './schemas/document.ts';

/** What the detector makes of a screen. Its shape does not change without a major version. */
export type DetectResult = Document<typeof detectResultSchema>;

/** The rules that hold for a provider, in the order in which they are asked. */
export type DetectorRules = Document<typeof detectorRulesSchema>;

export type RuleView = Document<typeof ruleSchema>;
