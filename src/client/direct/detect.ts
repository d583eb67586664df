import { findFolders } from '../../config/folders.ts';
import { requireOwnFolders } from '../../config/own-folder.ts';
import type { DetectorRules, DetectResult, RuleView } from '../../protocol/detect.ts';
import { detect } from '../../providers/detector/detect.ts';
import { userRulesPath } from '../../providers/detector/load.ts';
import type { ComposerRule, Detector, StatusRule } from '../../providers/detector/rules.ts';
import { hasMotion, stripSequences } from '../../providers/detector/styled-rows.ts';
import type { Screen } from '../../providers/provider.ts';
import { openProviderShelf } from '../../providers/registry.ts';
import { Fault } from '../../shared/fault.ts';

export interface DetectRequest {
  readonly provider: string;
  /** As `tmux capture-pane -p` or `-e` prints it. */
  readonly screen: string;
  readonly title?: string;
  readonly cursor?: { readonly x: number; readonly y: number };
  readonly providerVersion?: string;
}

/**
 * The verdict on one screen, and the file of the rule that fired. Needs neither daemon nor ledger.
 */
export async function detectScreen(
  env: NodeJS.ProcessEnv,
  request: DetectRequest,
): Promise<{ readonly result: DetectResult; readonly source: string | undefined }> {
  const detector = await loadRules(env, request.provider);
  const { isBlind: _, ...verdict } = detect(detector, toScreen(request), request.providerVersion);
  const { provider, versions, rules } = detector;
  return {
    result: { ...verdict, provider, providerVersions: versions },
    source: rules.find(({ name }) => name === verdict.rule)?.source,
  };
}

export async function listRules(env: NodeJS.ProcessEnv, provider: string): Promise<DetectorRules> {
  const detector = await loadRules(env, provider);
  return {
    provider: detector.provider,
    providerVersions: detector.versions,
    tested: detector.tested,
    rules: detector.rules.map((rule) =>
      view(rule, rule.detail ? `${rule.status}: ${rule.detail}` : rule.status),
    ),
    composer: detector.composer.map((rule) => view(rule, rule.is)),
    ownFile: userRulesPath(findFolders(env).config, detector.provider),
  };
}

/**
 * Whoever asks what the rules say wants to know that their own file is broken; the daemon goes on
 * without it.
 */
async function loadRules(env: NodeJS.ProcessEnv, provider: string): Promise<Detector> {
  const folders = findFolders(env);
  requireOwnFolders(folders);
  const shelf = openProviderShelf(folders);
  const { detector, trouble } = await shelf.loadDetector(provider);
  if (trouble) throw trouble;
  return detector;
}

function toScreen({ screen, title, cursor }: DetectRequest): Screen {
  if (screen.includes('\0')) {
    throw new Fault('invalid-input', 'The screen holds zero bytes: it is no text.', capture);
  }
  // E4: only what an emulator has rendered is read. In raw output the last text is not what is
  // seen.
  if (hasMotion(screen)) {
    throw new Fault(
      'invalid-input',
      'The screen holds sequences that move the cursor: it is what a program wrote, not what a terminal shows.',
      capture,
    );
  }
  const styledLines = screen.replaceAll('\r', '').split('\n');
  if (styledLines.length > mostRows) {
    throw new Fault('invalid-input', `No terminal has ${styledLines.length} rows.`, capture);
  }
  const hasStyles = screen.includes('\u001b[');
  return {
    lines: styledLines.map(stripSequences),
    ...(hasStyles ? { styledLines } : {}),
    ...(title === undefined ? {} : { title }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

const mostRows = 1000;
const capture = 'Give what `tmux capture-pane -p` (or -e -p) prints.';

function view(rule: StatusRule | ComposerRule, says: string): RuleView {
  const { name, versions, source } = rule;
  return { name, says, ...(versions ? { versions: versions.text } : {}), source };
}
