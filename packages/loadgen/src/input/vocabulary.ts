import type { Tokenizer } from '../tokens/tokenizer.ts';

/**
 * Common English words of up to six letters. For most tokenizers, each is one token together with the preceding
 * space.
 */
const WORDS: readonly string[] = (
  'able about above act add after again age ago air all also area arm art ask away back bad bag ball band bank bar base ' +
  'bed best big bird bit black blood blue board boat body book born both box boy bread break bring broad brown build burn ' +
  'bus buy call camp can car card care carry case cause cell chair chance change check child choice church circle city ' +
  'class clean clear clock close cloud coast cold color come cook cool copy corner cost count course court cover cross cry ' +
  'cup cut dance dark data date day dead deal dear deep desk door double doubt down draw dream dress drink drive drop dry ' +
  'dust duty each ear early earth east easy eat edge egg eight empty end enemy engine enjoy enough enter equal even ever ' +
  'every exact eye face fact fair fall family far farm fast father fear feed feel few field fight figure fill film final ' +
  'find fine finger finish fire first fish five flat floor flow fly follow food foot force forest forget form four free ' +
  'fresh friend front fruit full game garden gas gate gift girl give glass goal gold good grand grass gray great green ' +
  'ground group grow guess guide hair half hall hand happen happy hard hat head hear heart heat heavy help here high hill ' +
  'hold hole home hope horse hot hour house how human hurry ice idea inch inside iron island job join judge jump just keep ' +
  'key kind king kiss knee know lady lake land large last late laugh law lay lead learn least leave left leg length less ' +
  'letter level lie life light like line list listen little live local long look lose loss lot loud love low luck lunch ' +
  'main make man many map mark market matter meal mean meat meet middle mile milk mind minute mirror miss modern moment ' +
  'money month moon more most mother motor mouth move much music must name narrow nation native near neck need never new ' +
  'news next nice night nine noise north nose note notice number object ocean offer office often oil old once one only ' +
  'open orange order other out oven over owner page pain paint pair paper parent part party pass past path pay peace pen ' +
  'people person piano pick piece pink place plain plan plane plant plate play please point police pool poor post power ' +
  'press pretty price print public pull push put queen quick quiet radio rail rain raise range rate rather reach read ready ' +
  'real reason record red rest result return rich ride right ring rise river road rock room root rope round row rule run ' +
  'safe said sail salt same sand save school sea season seat second see seed sell send sense seven shade shape share sharp ' +
  'ship shirt shoe shop short show side sign silver simple since sing sister sit six size skin sky sleep slow small smell ' +
  'smile smoke snow social soft soil some son song soon sound soup south space speak speed spend spoke spot spread spring ' +
  'square stage stand star start state stay steam steel step stick still stone stop store storm story street strong study ' +
  'such sugar suit summer sun supply sure table tail take talk tall taste tea teach team tell ten test thank than that ' +
  'their them then there these they thick thin thing think third this those three time tiny title today top total touch ' +
  'town track trade train travel tree trip true try turn twelve twenty two type under unit until upon use usual valley ' +
  'value very view visit voice wait walk wall want war warm wash watch water wave way wear week weight well west what ' +
  'wheel when where while white who whole why wide wild will wind window winter wire wish with woman wonder wood word work ' +
  'world worry write year yellow yes yet you young zero'
).split(' ');

/** Minimum number of words in a vocabulary; with fewer words, texts would be too repetitive. */
const MIN_WORDS = 64;

/** Words for generating texts. */
export interface Vocabulary {
  readonly words: readonly string[];
  /** True if n words joined by spaces have n tokens. */
  readonly isExact: boolean;
}

/**
 * Returns the words that are a single token each, or all words if there are fewer than 64 such words or no
 * tokenizer.
 */
export function findVocabulary(tokenizer: Tokenizer | undefined): Vocabulary {
  if (!tokenizer) return { words: WORDS, isExact: true };
  const baseCount = tokenizer.count('a');
  const singleTokenWords = WORDS.filter(
    word => tokenizer.count(word) === 1 && tokenizer.count(`a ${word}`) === baseCount + 1,
  );
  const words = singleTokenWords.length >= MIN_WORDS ? singleTokenWords : WORDS;
  return { words, isExact: tokenizer.count(words.join(' ')) === words.length };
}
