/** A way to say something: a clause has it when it matches `form` and nothing in `unless`. */
export type Form = { readonly form: RegExp; readonly unless?: RegExp };

export const hasForm = (clause: string, forms: readonly Form[]): boolean =>
  forms.some(({ form, unless }) => form.test(clause) && !(unless?.test(clause) ?? false));
