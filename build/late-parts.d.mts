export declare const lateParts: unknown;
