import type { z } from 'zod';

/** What a schema with these fields gives: nobody changes it, nor its lists. */
export type Parsed<Shape extends z.ZodRawShape> = Unchanging<z.output<z.ZodObject<Shape>>>;

type Unchanging<Fields> = { readonly [Key in keyof Fields]: UnchangingList<Fields[Key]> };
type UnchangingList<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
