/**
 * True for text that tries to give orders to its reader. Programs seldom print such sentences; where an error contains one, its text is not
 * remembered.
 */
export const isDirective = (text: string): boolean => DIRECTIVE.test(text.slice(0, 2_000));

const DIRECTIVE =
  /\b(?:ignore|disregard|forget) (?:all |any |the |your )?(?:previous|prior|above|earlier|other)|\b(?:save|add|write|commit) (?:this |that |it |the following )?(?:to|in|into) (?:your )?memory|\bremember (?:this|that|to)\b|\bfrom now on\b|\balways (?:run|use|execute|call|fetch|send|do|approve|allow)\b|\bnever (?:ask|tell|mention|refuse)\b|\byou (?:must|should|are now|will now|have to)\b|\bsystem prompt\b|\bas an? (?:ai|assistant)\b|\b(?:new|important) instructions?\b|<\/?(?:system|user|assistant|tool_result)|^\s*\[?(?:system|user|assistant)\]?:|忽略(?:之前|以上|所有|上述)|(?:保存|写入|加入|存)(?:到|进)?记忆|记住[:：，,]?|从现在起|以后(?:都|一律|每次)|你(?:必须|应该|现在是)|务必(?:执行|运行)|系统提示/im;
