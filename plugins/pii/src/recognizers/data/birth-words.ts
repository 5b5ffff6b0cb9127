/** Words before dates of birth, in lower case. */
export const birthWords: readonly string[] = [
  'born|birth|birthday|birthdate|dob|d.o.b',
  'geboren|geburtsdatum|geburtstag|geb.|naissance|né le|née le|né en|née en|née à|né à|nacimiento|nacido|nacida|fecha de nac|nascita|nato il|nata il|nato a|nata a|nascimento|nascido|nascida',
  'geboortedatum|geboorte|født|fødselsdato|född|födelsedatum|syntynyt|syntymäaika|naixement',
  'urodzenia|urodzon|ur.|narozen|datum narození|narodený|narodená|dátum narodenia|született|születési|născut|nașterii|rođen|datum rođenja|gimęs|gimimo data|dzimis|dzimšanas|sündinud|sünniaeg|doğum|doğdu',
  'рождения|родился|родилась|д.р.|народження|народився|народилася|роден|раждане|рођен|γέννηση|γέννησης|γεννήθηκ|ημ. γεν',
  '出生|生年月日|생년월일|تاريخ الميلاد|תאריך לידה|जन्म',
].flatMap((words) => words.split('|'))
