/** Beginnings of names in scripts without capitals. */

/** Frequent surnames of one character, without those that are verbs and the like more often. */
export const chineseSurnames =
  '王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴夏钟鐘鍾汪田任姜范方石姚谭譚廖邹鄒熊金陆陸郝孔白崔康毛邱丘秦江史顾顧侯邵孟龙龍万萬段雷钱錢汤湯尹黎易武乔喬贺賀赖賴龚龔庞龐樊兰蘭殷施陶洪翟颜顏倪严嚴牛温溫芦季俞章鲁魯葛伍韦韋申尤毕畢聂聶丛焦柳邢路岳齐齊梅莫庄莊辛管祝左涂谷祁耿牟卜詹关關苗凌费費纪紀靳盛童欧歐甄项項曲游阳裴席卫衛查屈鲍鮑覃霍翁甘景单包司柏宁柯阮桂闵解强柴华'

/** Of two characters. */
export const longChineseSurnames = '欧阳|歐陽|司马|司馬|诸葛|諸葛|上官|司徒|慕容|皇甫|令狐|夏侯|尉迟'

export const koreanSurnames =
  '김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민나진지엄채원천방공현함변염여추도소석선설마길연위표명기반라왕금옥육인맹제모탁국어은편용'

export const longKoreanSurnames = '남궁|황보|제갈|사공|선우|독고'
