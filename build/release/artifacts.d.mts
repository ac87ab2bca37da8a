export declare const makeArtifacts: (root: string, target: string) => readonly string[];
