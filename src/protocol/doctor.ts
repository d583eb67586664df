import type {
  backendReportSchema,
  doctorReportSchema,
  findingSchema,
  ledgerReportSchema,
  providerReportSchema,
  teamReportSchema,
  terminalsReportSchema,
  trialReportSchema,
  waitingInboxSchema,
} from './schemas/doctor.ts';
import type { Document } from './schemas/document.ts';

/** What `doctor` found. */
export type DoctorReport = Document<typeof doctorReportSchema>;

/**
 * Of the ledger alone. `attention` is dead letters and uncertain messages (exit 7); `problems` is
 * what is broken (exit 1).
 */
export type LedgerReport = Document<typeof ledgerReportSchema>;

/** What the lab has seen of one other version of a CLI. */
export type TrialReport = Document<typeof trialReportSchema>;

export type Finding = Document<typeof findingSchema>;

export type WaitingInbox = Document<typeof waitingInboxSchema>;

/** Of the default backend. */
export type TerminalsReport = Document<typeof terminalsReportSchema>;

export type BackendReport = Document<typeof backendReportSchema>;

export type ProviderReport = Document<typeof providerReportSchema>;

/** Supervisor and workers were all of this CLI. */
export type TeamReport = Document<typeof teamReportSchema>;
