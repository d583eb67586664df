import type { Document } from './schemas/document.ts';
import type { profileSchema } from './schemas/profiles.ts';

/** One profile, or a file that cannot be used as one. */
export type ProfileView = Document<typeof profileSchema>;
