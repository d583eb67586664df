import type { Provider } from '../providers/provider.ts';
import type { HookOffer } from '../providers/way-in.ts';
import type { HookCall, HookReceipt } from './fleet.ts';
import { readCaption } from './read-caption.ts';
import type { Troubles } from './troubles.ts';

/** What one call of a hook lets us say, to its model and to the person. */
export function readReceipt(
  provider: Provider,
  troubles: Troubles,
  call: HookCall,
  isTaken: boolean,
): HookReceipt {
  const { event, body } = call;
  const offer = troubles.attempt<HookOffer>(`the offer of hook ${event}`, () =>
    provider.readOffer?.({ event, body }),
  );
  const caption = troubles.attempt(`the caption of hook ${event}`, () =>
    readCaption(provider, call),
  );
  return {
    outcome: isTaken || offer ? 'taken' : 'ignored',
    ...(offer ? { offer } : {}),
    ...(caption ? { caption } : {}),
  };
}
