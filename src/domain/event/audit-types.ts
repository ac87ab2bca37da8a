import { auditedEventSchema } from './event-schema.ts';

/** The types that a line of the audit log can have. The bundle holds what it returns (build/computed-parts.mjs), so that help loads no zod. */
export const auditTypes = (): readonly string[] => auditedEventSchema.options.map(({ shape }) => shape.type.value);
