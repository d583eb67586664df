import { needPane, needWorkspace } from '../model/lookup.ts';
import { tellUpdate } from '../model/pane-updates.ts';
import { workspaceInfo } from '../model/records.ts';
import { mostSources, type Tokens } from '../model/tokens.ts';
import { ApiError } from '../wire/api-error.ts';
import type { Json } from '../wire/json.ts';
import { mapOf, numberOf, textOf } from '../wire/request-shapes.ts';
import type { Method } from './workspaces.ts';

const mostPerReport = 16;
const mostPerThing = 32;
const longestValue = 80;

/** What is shown beside the name of a pane or a workspace; it changes no state. */
export const metadataMethods: Readonly<Record<string, Method>> = {
  'pane.report_metadata': (session, params) => {
    const pane = needPane(session, String(params['pane_id']));
    const { isOld } = session.parts.profile;
    const source = isOld ? oldSourceOf(params) : sourceOf(params);
    const isGiven = !isOld && Object.keys(mapOf(params, 'tokens')).length > 0;
    const tokens = isGiven ? tokensOf(params) : {};
    const ttl = ttlOf(params);
    checkFields(params, isGiven);
    const changed = () => tellUpdate(session, pane);
    if (!pane.tokens.isFresh(source, numberOf(params, 'seq'))) return ok;
    if (isGiven) checkRoom(pane.tokens, tokens, 'pane');
    if (!pane.tokens.remember(source, numberOf(params, 'seq'))) throw tooManySources('pane');
    const areTokensNew = pane.tokens.patch(tokens, ttl, changed);
    const before = JSON.stringify([pane.title, pane.displayAgent, pane.stateLabels]);
    pane.title = params['clear_title'] ? undefined : (textOf(params, 'title') ?? pane.title);
    pane.displayAgent = params['clear_display_agent']
      ? undefined
      : (textOf(params, 'display_agent') ?? pane.displayAgent);
    const labels = params['clear_state_labels'] ? {} : pane.stateLabels;
    pane.stateLabels = { ...labels, ...mapOf(params, 'state_labels') };
    const isShownNew = JSON.stringify([pane.title, pane.displayAgent, pane.stateLabels]) !== before;
    // What is shown beside the tokens is told to those alone who follow the pane's status.
    const isTold = areTokensNew || (isShownNew && !session.parts.profile.has('silent-title'));
    if (isTold) changed();
    if (isShownNew) session.emitStatus(pane);
    return ok;
  },
  'workspace.report_metadata': (session, params) => {
    const workspace = needWorkspace(session, String(params['workspace_id']));
    const source = sourceOf(params);
    const ttl = ttlOf(params);
    const tokens = tokensOf(params);
    const changed = () => {
      const info = workspaceInfo(session, workspace);
      session.emit('workspace_metadata_updated', { workspace: info });
    };
    if (!workspace.tokens.isFresh(source, numberOf(params, 'seq'))) return ok;
    checkRoom(workspace.tokens, tokens, 'workspace');
    if (!workspace.tokens.remember(source, numberOf(params, 'seq'))) {
      throw tooManySources('workspace');
    }
    if (workspace.tokens.patch(tokens, ttl, changed)) changed();
    return ok;
  },
};

const ok = { type: 'ok' };

function sourceOf(params: Json): string {
  const source = String(params['source']).trim();
  const wrong =
    source === ''
      ? 'must not be empty'
      : [...source].length > 80
        ? 'must be 80 characters or fewer'
        : /^[A-Za-z0-9:._-]*$/.test(source)
          ? undefined
          : 'may contain only ASCII letters, digits, colon, dot, underscore, and hyphen';
  if (wrong) throw new ApiError('invalid_metadata_source', `metadata source ${wrong}`);
  return source;
}

function oldSourceOf(params: Json): string {
  const source = String(params['source']).trim();
  if (source === '') throw new ApiError('invalid_metadata_request', 'missing metadata source');
  return source;
}

function ttlOf(params: Json): number | undefined {
  const ttl = numberOf(params, 'ttl_ms');
  if (ttl === undefined || (ttl >= 1 && ttl <= 86_400_000)) return ttl;
  throw new ApiError('invalid_metadata_ttl', 'metadata ttl_ms must be 1 to 86400000');
}

/** A value loses its control characters and what is too long; nothing left of it clears the key. */
function tokensOf(params: Json): Readonly<Record<string, string | null>> {
  const entries = Object.entries((params['tokens'] ?? {}) as Record<string, string | null>);
  const fail = (message: string) => new ApiError('invalid_metadata_token', message);
  if (entries.length === 0) throw fail('missing token to set or clear');
  if (entries.length > mostPerReport) {
    throw fail(`a metadata report may update at most ${mostPerReport} tokens`);
  }
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (!/^[A-Za-z0-9_-]{1,32}$/.test(key)) throw fail(`invalid metadata token key: ${key}`);
      const clean = [...(value ?? '').trim().replaceAll(/\p{Cc}/gu, '')].slice(0, longestValue);
      return [key, clean.join('').trim() || null];
    }),
  );
}

function checkFields(params: Json, hasTokens: boolean): void {
  const fail = (message: string) => new ApiError('invalid_metadata_request', message);
  const labels = Object.keys(mapOf(params, 'state_labels'));
  const unknown = labels.find((label) => !/^(idle|working|blocked|done|unknown)$/.test(label));
  if (unknown) throw new ApiError('invalid_state_label', `unknown state label: ${unknown}`);
  const given = {
    title: textOf(params, 'title') !== undefined,
    display_agent: textOf(params, 'display_agent') !== undefined,
    state_labels: labels.length > 0,
  };
  const fields = Object.entries(given);
  if (fields.some(([name, isGiven]) => isGiven && params[`clear_${name}`] === true)) {
    throw fail('cannot set and clear the same metadata field');
  }
  if (hasTokens || fields.some(([name, isGiven]) => isGiven || params[`clear_${name}`] === true)) {
    return;
  }
  throw fail('missing metadata field to set or clear');
}

function checkRoom(
  tokens: Tokens,
  patch: Readonly<Record<string, string | null>>,
  thing: string,
): void {
  if (tokens.sizeAfter(patch) <= mostPerThing) return;
  const message = `${thing} metadata may contain at most ${mostPerThing} tokens`;
  throw new ApiError('metadata_token_limit', message);
}

function tooManySources(thing: string): ApiError {
  const message = `${thing} metadata may track at most ${mostSources} sequenced sources`;
  return new ApiError('metadata_sequence_source_limit', message);
}
