// TODO: Update API URL
const API_URL = 'http://old-api.com'
