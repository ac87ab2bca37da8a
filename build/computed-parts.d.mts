export declare const COMPUTED: readonly { readonly file: string; readonly name: string }[];
